/** Numbers of structures that texts leave out, by tool: the members and the reason. */
export const notInText: Readonly<Record<string, readonly (readonly [members: RegExp, reason: string])[]>> = {
  'every tool': [[/(^|\.)(lat|lon)$/, 'the text names the place']],
}
