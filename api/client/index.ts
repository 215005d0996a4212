export {
  type AlertChange,
  type Change,
  type ChangesOptions,
  type ChangesQuery,
  hexcastChanges,
  type TextChange,
} from './changes.ts'
export {
  type AnswerInfo,
  answerInfo,
  type ClientOptions,
  hexcastClient,
  type Limit,
  type Problem,
  ProblemError,
} from './client.ts'
export type { components, operations, paths } from './schema.generated.ts'
export { type WebhookEvent, type WebhookReceiver, WebhookVerificationError, webhookReceiver } from './webhook.ts'
