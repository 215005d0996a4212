import type { Provider } from 'oidc-provider'
import type { Instant } from '../../ingest/domain/time.ts'

export type DeviceCode = InstanceType<Provider['DeviceCode']>

/** Returns the pending device authorization of a user code; undefined if there is none. */
export async function openDevice(provider: Provider, code: string): Promise<DeviceCode | undefined> {
  const text = normalizedCode(code)
  if (!/^[A-Z]{8}$/.test(text)) return undefined
  const device = await (
    provider.DeviceCode as unknown as { findByUserCode(code: string, options: object): Promise<DeviceCode | undefined> }
  ).findByUserCode(text, {
    ignoreExpiration: true,
  })
  return device && !device.isExpired && !device.error && !device.accountId ? device : undefined
}

/** Approves a device for an account, as the pages of the library do. */
export async function approveDevice(
  provider: Provider,
  device: DeviceCode,
  accountId: string,
  now: Instant,
): Promise<void> {
  const scope = String((device.params as Record<string, unknown>)['scope'] ?? 'openid')
  const grant = new provider.Grant({ accountId, clientId: device.clientId ?? '' })
  grant.addOIDCScope(scope)
  Object.assign(device, { accountId, grantId: await grant.save(), scope, authTime: Math.floor(now / 1000) })
}

export const normalizedCode = (code: string) => code.toUpperCase().replace(/[^A-Z]/g, '')
export const hyphenatedCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`
