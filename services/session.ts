/** The calls of the session check and of sign-in, together, so that a page that needs none of them loads none. */
export { authUrl, checkSession, loginWithTicket, logout } from './sso';
export { userInfo } from './user';
