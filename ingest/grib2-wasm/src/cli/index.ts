/** Parts of the command line tool for other programs on Node. */

export { shortest } from './csv.ts'
export { type FileSource, memorySource, openFile } from './file.ts'
export { listHeader, listRow, numberOf } from './list.ts'
export { picture } from './picture.ts'
