import { createSign, generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const n = body.length
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'))
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))

/** Returns a self-signed certificate for one host name (X.509 v3, P-256). */
function certificate(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(host)))))
  const altName = der(0x30, oid('551d11'), der(4, der(0x30, der(0x82, Buffer.from(host)))))
  const authority = der(0x30, oid('551d13'), der(4, der(0x30, der(1, Buffer.from([255])))))
  const body = der(
    0x30,
    der(0xa0, der(2, Buffer.from([2]))),
    der(2, Buffer.from([1])),
    algorithm,
    name,
    der(0x30, time(2020), time(2120)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, altName, authority)),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = der(0x30, body, algorithm, der(3, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trim()
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** An https host on loopback. */
export async function tlsHost(host: string, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const { key, cert } = certificate(host)
  const server = createServer({ key, cert }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `https://${host}:${(server.address() as AddressInfo).port}`,
    cert,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
