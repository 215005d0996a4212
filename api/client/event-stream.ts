/** A message of a stream of server-sent events. A message without `data` only sets the id from which to resume. */
export interface StreamMessage {
  readonly id: string | undefined
  readonly event: string
  readonly data: string | undefined
}

/** Longest message, characters; a longer message is an error of the stream. */
const MAX_MESSAGE_CHARS = 1_000_000

/**
 * Reads server-sent events as the HTML standard defines them. Existing packages drop ids without data, which the server sends so that a stream
 * without changes can be resumed.
 * @param onRead called after each read, and with the retry time that the server sends, ms
 * @throws RangeError if a message has over a million characters
 */
export async function* streamMessages(
  body: ReadableStream<Uint8Array>,
  onRead: (retryMs: number | undefined) => void = () => undefined,
): AsyncGenerator<StreamMessage> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let unfinished = ''
  let size = 0
  let id: string | undefined
  let event = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onRead(undefined)
      const text = unfinished + decoder.decode(value, { stream: true })
      // A CR at the end may be the first half of CR LF.
      const lines = text.split(/\r\n|\n|\r(?!$)/)
      unfinished = lines.pop() ?? ''
      if (unfinished.length + size > MAX_MESSAGE_CHARS) throw tooLong()
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') }
          else if (id !== undefined) yield { id, event: '', data: undefined }
          id = undefined
          event = ''
          data = []
          size = 0
          continue
        }
        size += line.length
        if (size > MAX_MESSAGE_CHARS) throw tooLong()
        const colon = line.indexOf(':')
        const field = colon < 0 ? line : line.slice(0, colon)
        const content = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
        if (field === 'data') data.push(content)
        else if (field === 'event') event = content
        else if (field === 'id' && !content.includes('\0')) id = content
        else if (field === 'retry' && /^\d{1,7}$/.test(content)) onRead(Number(content))
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const tooLong = () =>
  new RangeError(
    `The stream has a message of over ${MAX_MESSAGE_CHARS} characters. Connect again; report this if it continues.`,
  )
