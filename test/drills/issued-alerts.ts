import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { alertFeature } from '../clients/alert-feature.ts'

const FEED = '/api.weather.gov/alerts/active'

/** An upstream whose alert feed has an alert more every half second; it passes every other request on to the simulator. */
export class IssuedAlerts {
  readonly url: string
  /** Ids of the alerts, in their order. */
  readonly ids: string[] = []
  readonly #features: object[] = []
  readonly #server: ReturnType<typeof createServer>
  #timer: NodeJS.Timeout | undefined

  private constructor(server: ReturnType<typeof createServer>, simulator: URL) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (incoming, response) => {
      if (incoming.url === FEED) {
        const feed = { type: 'FeatureCollection', updated: new Date().toISOString(), features: this.#features }
        response.writeHead(200, { 'content-type': 'application/geo+json' }).end(JSON.stringify(feed))
        return
      }
      const { method, url: path, headers } = incoming
      const { hostname: host, port } = simulator
      const onward = request({ host, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      incoming.pipe(onward)
    })
  }

  /** @param simulator address of the simulator */
  static async open(simulator: string): Promise<IssuedAlerts> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new IssuedAlerts(server, new URL(simulator))
  }

  begin(): void {
    this.#timer = setInterval(() => {
      const id = `urn:oid:2.49.0.1.840.0.drill.${this.ids.length}.001.1`
      this.ids.push(id)
      this.#features.push(alertFeature(id, 'Severe Thunderstorm Warning', 'Severe'))
    }, 500)
  }

  /** Issues no more alerts. */
  end(): void {
    clearInterval(this.#timer)
  }

  close(): void {
    this.end()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
