/**
 * Tables that an API process writes; it only reads the other tables. Tests check this list against the grants in
 * infra/OPS.md, against the rights of the database roles, and against the statements in api/.
 */
export const apiWrites = [
  'account',
  'api_key',
  'key_usage',
  'usage_day',
  'idempotency',
  'mail',
  'metrics_lease',
  'oidc_record',
  'payment',
  'onset_watch',
  'served_state',
  'webhook',
  'webhook_cursor',
  'webhook_delivery',
] as const
