export { decodedAs, decodeResult, decodingLosses, undamaged } from './decoding';
export { DecodeLog } from './log';
export { countPackets } from './packets';
export { decodeFile, runDecoder } from './run';
