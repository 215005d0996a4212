/**
 * Tables that an API process writes; it only reads all other tables. Tests compare this list with the grants in
 * infra/OPS.md, with the rights of the database roles, and with the statements in api/.
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
