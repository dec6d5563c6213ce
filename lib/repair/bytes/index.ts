export { adler32, crc32 } from './crc32';
export { inflateSalvage, inflateStrict, inflateZlib, zlibHeaderLength } from './deflate';
export { inflateTolerant } from './inflate';
export { predicted } from './predict';
export { countWords, eachWord } from './words';
