/**
 * Tables that an API process writes, all others it only reads: the grants of infra/OPS.md, the rights that the engine tests try,
 * and the statements that api/ really makes are checked against this list.
 */
export const apiWrites = [
  'account',
  'api_key',
  'key_usage',
  'usage_day',
  'idempotency',
  'mail',
  'oidc_record',
  'payment',
  'onset_watch',
  'served_state',
  'webhook',
  'webhook_cursor',
  'webhook_delivery',
] as const
