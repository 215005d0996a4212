import type { Queries } from '../session.ts'

export interface MailRow {
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly at: Date
}

export async function insertMail(db: Queries, recipient: string, subject: string, body: string): Promise<void> {
  await db.query('insert into mail (recipient, subject, body) values ($1, $2, $3)', [recipient, subject, body])
}

/** Returns the stored mails, newest first. */
export async function mails(db: Queries, most = 1000): Promise<MailRow[]> {
  return db.query<MailRow>('select recipient, subject, body, at from mail order by id desc limit $1', [most])
}
