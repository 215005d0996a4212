/** This module also runs inside Temporal's sandbox: it must not use the clock, files or sockets of the process. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common'

/** The search attributes of workflows, by which their list can be filtered. */
export const datasetKey = defineSearchAttributeKey('HexcastDataset', SearchAttributeType.KEYWORD)
export const domainKey = defineSearchAttributeKey('HexcastDomain', SearchAttributeType.KEYWORD)
export const runKey = defineSearchAttributeKey('HexcastRun', SearchAttributeType.KEYWORD)
export const searchAttributeNames = [datasetKey, domainKey, runKey].map(({ name }) => name)

/** Returns the attributes of a workflow with this input; none for workflows without a dataset. */
export function searchAttributesOf(input: object): SearchAttributePair[] {
  const { dataset, domains, run } = input as {
    readonly dataset?: string
    readonly domains?: readonly string[]
    readonly run?: string
  }
  return [
    ...(dataset === undefined ? [] : [{ key: datasetKey, value: dataset }]),
    ...(domains === undefined ? [] : [{ key: domainKey, value: domains.join('+') }]),
    ...(run === undefined ? [] : [{ key: runKey, value: run }]),
  ]
}
