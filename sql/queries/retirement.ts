import type { Queries } from '../session.ts'

/** A step of retirement, with the times of its first attempt and of its last success. */
export interface RetirementState {
  readonly step: string
  readonly first_at: Date
  readonly succeeded_at: Date | null
  readonly failed_at: Date | null
  readonly failure: string | null
}

export async function recordRetired(db: Queries, step: string): Promise<void> {
  await db.query(
    `insert into retirement (step, succeeded_at) values ($1, clock_timestamp())
     on conflict (step) do update set succeeded_at = clock_timestamp()`,
    [step],
  )
}

export async function recordRetirementFailure(db: Queries, step: string, failure: string): Promise<void> {
  await db.query(
    `insert into retirement (step, failed_at, failure) values ($1, clock_timestamp(), $2)
     on conflict (step) do update set failed_at = clock_timestamp(), failure = $2`,
    [step, failure],
  )
}

export async function retirementStates(db: Queries): Promise<RetirementState[]> {
  return db.kysely
    .selectFrom('retirement')
    .select(['step', 'first_at', 'succeeded_at', 'failed_at', 'failure'])
    .orderBy('step')
    .execute()
}
