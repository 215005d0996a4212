import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { WorkerDeploymentOptions } from '@temporalio/worker'
import { compareReleases } from './release.ts'

/** Interval and number of attempts to make this release the current one, while the server does not know its workers. */
const ATTEMPT_MS = 1000
const ATTEMPTS = 60

/**
 * Returns the options of workers whose release Temporal distinguishes. A workflow moves to the current release at its
 * next step, because the workflows replay earlier histories (`test/contracts/replay.test.ts`).
 */
export function deploymentOptions(deploymentName: string, release: string): WorkerDeploymentOptions {
  return {
    useWorkerVersioning: true,
    version: { deploymentName, buildId: release },
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  }
}

/**
 * Makes this release the current one of its deployment, unless a newer release is. From then on Temporal gives all work
 * to workers of this release.
 * @returns the current release: this or a newer one, for which this worker then gets no work; undefined if the server
 * did not know the workers of this release within a minute
 */
export async function becomeCurrent(
  client: Client,
  deploymentName: string,
  release: string,
  isStopping: () => boolean,
): Promise<string | undefined> {
  const { namespace } = client.options
  const service = client.workflowService
  for (let attempt = 0; attempt < ATTEMPTS && !isStopping(); attempt++) {
    try {
      const described = await service.describeWorkerDeployment({ namespace, deploymentName })
      const current = described.workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId
      if (current && compareReleases(current, release) >= 0) return current
      await service.setWorkerDeploymentCurrentVersion({
        namespace,
        deploymentName,
        buildId: release,
        conflictToken: described.conflictToken,
        // Queues that an earlier release had are not an obstacle.
        ignoreMissingTaskQueues: true,
      })
      return release
    } catch (error) {
      // The server learns of a release when its workers poll, and refuses if another worker has just changed it.
      if (attempt === ATTEMPTS - 1) throw error
      await pause(ATTEMPT_MS, undefined, { ref: false })
    }
  }
  return undefined
}
