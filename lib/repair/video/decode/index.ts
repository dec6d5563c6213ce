export { decodeResult, decodingLosses, judgeByDecoding, undamaged } from './judge';
export { DecodeLog } from './log';
export { decodeFile, runDecoder } from './run';
