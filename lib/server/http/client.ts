import 'server-only';
import type { ApiRequest } from './api-request';

/** Header in which the server in front says who is calling; it overwrites whatever the client sent. */
const CLIENT_HEADER = 'x-client-address';

/** Header in which it says whether a program on this computer asks for itself, by the socket's address. */
const LOCAL_HEADER = 'x-client-is-local';

/** True when the server in front saw the call come from this computer. */
export function isFromThisComputer(request: ApiRequest): boolean {
  return request.headers.get(LOCAL_HEADER) === '1';
}

/** Address of the caller, as the server in front saw it. */
export function clientAddress(request: ApiRequest): string {
  return request.headers.get(CLIENT_HEADER) ?? 'unknown';
}
