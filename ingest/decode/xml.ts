import { XMLParser } from 'fast-xml-parser'

/**
 * Returns a parser of XML feeds that reads only the text of elements, without attributes and namespace prefixes. Entities and character
 * references (`&amp;`, `&#176;`, `&#xB0;`) are decoded once, as XML 1.0 §4.1 requires: `&amp;#32;` gives the text `&#32;`.
 * @param isArray returns whether an element is always a list, even if there is only one
 */
export function xmlParser(isArray: (name: string) => boolean): XMLParser {
  return new XMLParser({
    ignoreAttributes: true,
    removeNSPrefix: true,
    parseTagValue: false,
    trimValues: true,
    // Without this option the library does not decode numeric references.
    htmlEntities: true,
    isArray,
  })
}
