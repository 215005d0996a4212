/** Places that sources list under a former name, keyed by that name and the state. */
export const renamed: Readonly<Record<string, string>> = {
  'Barrow AK': 'Utqiaġvik',
  'Fort Liberty NC': 'Fort Bragg',
  'Fort Cavazos TX': 'Fort Hood',
  'Fort Novosel AL': 'Fort Rucker',
}
