import { redirectUri, user } from './examples';
import type { Operation } from './operation';

const tag = 'Sign-in';
const ticketReturn = { url: `${redirectUri}?ticket=Zk3p8Qw1` };

export const signIn: Operation[] = [
  {
    method: 'get',
    path: '/sso/auth/url',
    id: 'readSignInAddress',
    tag,
    summary: 'Where a visitor signs in',
    detail:
      'The client adds `redirect_uri`, an address of its own origin, to which the visitor comes back with a ticket.',
    answer: 'WebAddress',
    examples: [{ title: 'The embedded provider', obj: 'http://localhost:3000/login' }],
  },
  {
    method: 'get',
    path: '/sso/provider/start',
    id: 'beginSignIn',
    tag,
    summary: 'Leads the browser to the OpenID Connect provider',
    detail: 'Where there is none, to our own sign-in page. It is opened, not called.',
    query: {
      redirect_uri: { what: 'Where the ticket goes, an address of this site.', example: redirectUri },
      intent: { what: '`register` where an account is to be made.', example: 'register' },
    },
    answer: { redirect: 'The provider’s address, or the sign-in page with the reason in `problem`.' },
  },
  {
    method: 'get',
    path: '/sso/provider/callback',
    id: 'takeSignIn',
    tag,
    summary: 'The OpenID Connect provider’s answer',
    detail:
      'The redirect address that is registered at the provider. Each answer is taken once, from the browser that began.',
    answer: { redirect: 'Where the sign-in began, with a ticket, or the sign-in page with the reason in `problem`.' },
  },
  {
    method: 'get',
    path: '/sso/login',
    id: 'loginWithTicket',
    tag,
    summary: 'Trades a ticket for a token',
    detail:
      'A ticket works once, for 60 seconds, and for the origin that it was made for. `signInState` is the `state` of the return address; a browser that began with another, or with none, asks before it takes the token.',
    query: { ticket: { what: 'The ticket of the return address.', example: 'Zk3p8Qw1', required: true } },
    answer: 'SsoLogin',
    refusals: ['expired'],
    examples: [
      {
        title: 'Signed in',
        obj: { tokenValue: 'pV5m3nQ8t1Xc7Rb2', userDetail: user, signInState: '6f1b0a52-9c1e-4c5c-8a43-2b7d3c9d0e11' },
      },
    ],
  },
  {
    method: 'get',
    path: '/sso/check',
    id: 'checkSession',
    tag,
    summary: 'Who the token belongs to',
    detail: '`obj` is null where there is no token, or a dead one.',
    session: 'accepted',
    answer: 'SessionCheck',
    examples: [{ title: 'A living session', obj: { id: user.id, email: user.email } }],
  },
  {
    method: 'get',
    path: '/sso/logout',
    id: 'logout',
    tag,
    summary: 'Ends the session of the token, at once',
    session: 'accepted',
    answer: 'Nothing',
    examples: [{ title: 'Signed out', obj: null }],
  },
  {
    method: 'post',
    path: '/sso/password',
    id: 'signInByPassword',
    tag,
    summary: 'Signs in at the embedded provider',
    detail: 'Answers the return address with a ticket in its query.',
    body: 'PasswordSignIn',
    answer: 'TicketReturn',
    refusals: ['wrongCredentials', 'expired', 'tooManyRequests', 'unavailable'],
    examples: [
      { title: 'Sign in', body: { email: user.email, password: 'correct horse', redirectUri }, obj: ticketReturn },
    ],
  },
  {
    method: 'post',
    path: '/sso/register',
    id: 'register',
    tag,
    summary: 'Asks for an account',
    detail: 'A code is mailed to the address. The answer is the same where the address has an account already.',
    body: 'Credentials',
    answer: 'Registered',
    refusals: ['tooManyRequests', 'unavailable'],
    examples: [
      {
        title: 'Register',
        body: { email: 'new.person@example.com', password: 'correct horse', redirectUri },
        obj: { registrationId: '01JD8Z9C3M5P7R9T1V3X5Z7B9D' },
      },
    ],
  },
  {
    method: 'post',
    path: '/sso/confirm',
    id: 'confirmRegistration',
    tag,
    summary: 'Makes the account with the mailed code, and signs in',
    body: 'Confirm',
    answer: 'TicketReturn',
    refusals: ['wrongCredentials', 'tooManyRequests'],
    examples: [
      {
        title: 'Confirm',
        body: {
          email: 'new.person@example.com',
          code: '204816',
          redirectUri,
          registrationId: '01JD8Z9C3M5P7R9T1V3X5Z7B9D',
        },
        obj: ticketReturn,
      },
    ],
  },
  {
    method: 'post',
    path: '/sso/code',
    id: 'sendResetCode',
    tag,
    summary: 'Mails a code that lets a new password be set',
    detail: 'The answer is the same for an address without an account.',
    body: 'ResetCode',
    answer: 'Nothing',
    refusals: ['tooManyRequests'],
    examples: [{ title: 'Forgotten password', body: { email: user.email }, obj: null }],
  },
];
