/** Asked before a sign-in by address replaces a living session, or when it is not the one that was begun here. */
export type SignInQuestion = {
  /** Who is signed in now; null when nobody is. */
  current: string | null;
  next: string;
  answer: (yes: boolean) => void;
};
