/** An error of the start that a person can act on: its message is shown alone, without where it came from. */
export function startError(message: string): Error {
  const error = new Error(message);
  error.name = 'StartError';
  return error;
}
