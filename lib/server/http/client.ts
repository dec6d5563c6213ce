import 'server-only';

/** Header in which the server in front says who is calling; it overwrites whatever the client sent. */
const CLIENT_HEADER = 'x-client-address';

/** Header in which it says whether a program on this computer asks for itself, by the socket's address. */
const LOCAL_HEADER = 'x-client-is-local';

/** True when the server in front saw the call come from this computer. */
export function isFromThisComputer(request: Request): boolean {
  return request.headers.get(LOCAL_HEADER) === '1';
}

/** Address of the caller, as the server in front saw it. */
export function clientAddress(request: Request): string {
  return request.headers.get(CLIENT_HEADER) ?? 'unknown';
}
