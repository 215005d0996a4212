/** The result of one check of an upstream, which `hexcast doctor --live` prints as a line. */
export interface Finding {
  /** The subject of the check: `nbm/conus index f038`. */
  readonly subject: string
  readonly state: 'passed' | 'warning' | 'failed'
  /** The expectation, and the state of upstream. */
  readonly detail: string
}

export type Check = () => Promise<readonly Finding[]>

export const passed = (subject: string, detail: string): Finding => ({ subject, state: 'passed', detail })
export const warning = (subject: string, detail: string): Finding => ({ subject, state: 'warning', detail })
export const failed = (subject: string, detail: string): Finding => ({ subject, state: 'failed', detail })

/** Runs a check. If the check throws, it has failed, and the error is the detail. */
export async function findingsOf(subject: string, check: Check): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [failed(subject, error instanceof Error ? error.message : String(error))]
  }
}
