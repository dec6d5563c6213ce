/** Days for which the password works that is mailed to a new buyer, unless it is changed before. */
export const presetPasswordDays = 7;
