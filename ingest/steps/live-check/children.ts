import type { Upstream } from '../../ports/upstream.ts'

const MAX_CHILDREN = 8

/**
 * The names that exist below the deepest folder of a prefix which has any: for a prefix that lists nothing.
 * One or a few small listings with a delimiter.
 */
export async function existingChildren(upstream: Upstream, bucket: string, prefix: string): Promise<string> {
  for (let folder = parentOf(prefix); ; folder = parentOf(folder)) {
    const names = await childrenOf(upstream, bucket, folder)
    if (names.length > 0) return `${folder || 'the bucket'} has ${names.join(', ')}`
    if (folder === '') return 'the bucket has no keys'
  }
}

function parentOf(prefix: string): string {
  const bare = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  return bare.slice(0, bare.lastIndexOf('/') + 1)
}

async function childrenOf(upstream: Upstream, bucket: string, folder: string): Promise<string[]> {
  const query = new URLSearchParams({ 'list-type': '2', prefix: folder, delimiter: '/', 'max-keys': '200' })
  const { bytes } = await upstream.get(`${bucket}/?${query}`, { accept: 'application/xml', attempts: 2 })
  const names = Array.from(
    new TextDecoder().decode(bytes).matchAll(/<(?:Prefix|Key)>([^<]+)<\/(?:Prefix|Key)>/g),
    ([, key]) => key.slice(folder.length).split('/')[0],
  )
  return [...new Set(names.filter((name) => name !== ''))].slice(-MAX_CHILDREN)
}
