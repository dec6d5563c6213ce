export { decodeResult, decodingLosses, undamaged } from './judge';
export { DecodeLog } from './log';
export { decodeFile, runDecoder } from './run';
