import { errorStatus } from './error-status';

/** An error of ours with the status it stands for; 500 where nothing else is said (specification section 8). */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    message: string,
    readonly statusCode: number = 500,
  ) {
    super(message);
  }
}

/** Makes an error object from anything that was thrown: its message, and its status or 500. */
export function toAppError(reason: unknown): AppError {
  if (reason instanceof AppError) return reason;
  const { message } = Object(reason) as { message?: unknown };
  return new AppError(
    typeof message === 'string' && message !== '' ? message : 'Something went wrong.',
    errorStatus(reason),
  );
}
