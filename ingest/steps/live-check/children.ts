import type { Upstream } from '../../ports/upstream.ts'

const MAX_CHILDREN = 8
/** Number of pages of a listing that are read; each has at most 1,000 names. */
const MAX_PAGES = 10

/**
 * Returns the names in the deepest existing folder of a prefix for which nothing is listed. Sends a few small listings
 * with a delimiter.
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
  const names: string[] = []
  // Names are listed in ascending order, so the newest dates are last.
  for (let token: string | undefined, pages = 0; pages < MAX_PAGES; pages++) {
    const query = new URLSearchParams({ 'list-type': '2', prefix: folder, delimiter: '/' })
    if (token) query.set('continuation-token', token)
    const { bytes } = await upstream.get(`${bucket}/?${query}`, { accept: 'application/xml', attempts: 2 })
    const text = new TextDecoder().decode(bytes)
    for (const [, key = ''] of text.matchAll(/<(?:Prefix|Key)>([^<]+)<\/(?:Prefix|Key)>/g))
      names.push(key.slice(folder.length).replace(/\/.*/s, ''))
    token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1]
    if (!token) break
  }
  return [...new Set(names.filter((name) => name !== ''))].slice(-MAX_CHILDREN)
}
