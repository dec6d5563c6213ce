export { decodeResult, decodingLosses, judgeByDecoding, undamaged } from './judge';
export { type Decoded, DecodeLog } from './log';
export { decodeFile, runDecoder } from './run';
