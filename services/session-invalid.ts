type Listener = (msg: string) => void;

let unheard: string | null = null;
let listener: Listener = (msg) => {
  unheard = msg;
};

/**
 * Names the one subscriber of the session-invalid answer (lib/contract/README.md, 61). Apart from the client, so that who
 * listens from the start does not load it. What was told before anybody listened is told then.
 */
export function onSessionInvalid(subscriber: Listener): void {
  listener = subscriber;
  if (unheard !== null) subscriber(unheard);
  unheard = null;
}

/** A call was answered that its session is invalid: `msg` is the server's words. */
export function tellSessionInvalid(msg: string): void {
  listener(msg);
}
