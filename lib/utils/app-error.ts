/** An error of ours with the status it stands for; 500 where nothing else is said (lib/contract/README.md, 48). */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    message: string,
    readonly statusCode: number = 500,
  ) {
    super(message);
  }
}
