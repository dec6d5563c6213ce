import 'server-only';

/**
 * What the API reads of a request: of the web's own (Fetch standard), or of what the server in front makes in its stead, since
 * a whole `Request` with its signal, its headers' checks and its stream takes as long as a read of rows does.
 */
export type ApiRequest = Pick<Request, 'method' | 'url' | 'body'> & { headers: Pick<Headers, 'get'> };
