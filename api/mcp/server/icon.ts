/** The icon of the server, 32 units square. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 2l12 7v14l-12 7L4 23V9z" fill="#14507a"/><path d="M10 20a4 4 0 0 1 1-7.9 6 6 0 0 1 11 1.4A3.5 3.5 0 0 1 21.500 20z" fill="#fff"/></svg>'

/** The icon as a `data:` URI, so that no host is contacted. */
export const ICON = `data:image/svg+xml;base64,${Buffer.from(ICON_SVG).toString('base64')}`
