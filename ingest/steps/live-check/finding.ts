/** The result of one check of an upstream, for one line of `hexcast doctor --live`. */
export interface Finding {
  /** What was checked: `nbm/conus index f038`. */
  readonly subject: string
  readonly state: 'passed' | 'warning' | 'failed'
  /** What was expected and what upstream has. */
  readonly detail: string
}

export type Check = () => Promise<readonly Finding[]>

export const passed = (subject: string, detail: string): Finding => ({ subject, state: 'passed', detail })
export const warning = (subject: string, detail: string): Finding => ({ subject, state: 'warning', detail })
export const failed = (subject: string, detail: string): Finding => ({ subject, state: 'failed', detail })

/** A check that throws has failed: its error is the detail. */
export async function findingsOf(subject: string, check: Check): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [failed(subject, error instanceof Error ? error.message : String(error))]
  }
}
