import { XMLParser } from 'fast-xml-parser'

/**
 * A parser of feeds in XML: element text alone, without attributes and namespace prefixes. Entities and character references
 * (`&amp;`, `&#176;`, `&#xB0;`) are decoded once, as XML 1.0 §4.1 has it: `&amp;#32;` gives the text `&#32;`.
 * @param isArray elements that are given as a list, also where there is one
 */
export function xmlParser(isArray: (name: string) => boolean): XMLParser {
  return new XMLParser({
    ignoreAttributes: true,
    removeNSPrefix: true,
    parseTagValue: false,
    trimValues: true,
    // Without this option the library decodes no numeric references.
    htmlEntities: true,
    isArray,
  })
}
