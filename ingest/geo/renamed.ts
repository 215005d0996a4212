/** Places that sources list under a former name, keyed by that name and the state. */
export const renamed: Readonly<Record<string, string>> = { 'Barrow AK': 'Utqiaġvik' }
