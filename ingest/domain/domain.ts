export type DomainId = 'conus' | 'alaska' | 'hawaii'
