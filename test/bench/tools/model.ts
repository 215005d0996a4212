/**
 * A model at an address: POST `{question, tools}` (and `{history}` of its calls with their texts), answered by
 * `{tool, arguments}` or `{answer}`. Any model server can be adapted to that.
 */
export async function askModel(
  address: string,
  request: { question: string; tools: unknown; history: readonly object[] },
): Promise<{ tool?: string; arguments?: object; answer?: string }> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(120_000),
  })
  if (!response.ok) throw new Error(`the model at ${address} answered ${response.status}`)
  return (await response.json()) as { tool?: string; arguments?: object; answer?: string }
}
