declare module 'seek-bzip' {
  interface Output {
    writeByte(octet: number): void
    flush(): void
  }
  const Bunzip: {
    /**
     * Decodes the first stream of `input`.
     * @throws TypeError if the stream is damaged
     */
    decode(input: Uint8Array, output: Output): void
  }
  export default Bunzip
}
