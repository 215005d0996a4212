// The same calls in a page, bundled by esbuild from the packed client.
import { hexcastChanges, hexcastClient, webhookReceiver } from '@hexcast/client'

window.run = async (server, call, opened) => {
  const { data } = await hexcastClient(server).GET('/v1/weather', {
    params: { query: { location: 'Denver, CO', include: 'current,daily', days: 2 } },
  })
  document.body.textContent = `${data.location.name} ${data.current.temperature} °${data.units.temperature}`
  const stop = new AbortController()
  let pushed
  for await (const change of hexcastChanges(server, { area: 'CO' }, { signal: stop.signal, onOpen: opened })) {
    pushed = change
    stop.abort()
  }
  const event = webhookReceiver(call.secret).verify(call.body, call.headers)
  let forged = false
  try {
    webhookReceiver(call.secret).verify(`${call.body} `, call.headers)
  } catch {
    forged = true
  }
  return { text: document.body.textContent, pushed, event, forged }
}
