// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { isCommonPassword } from '@/components/account/kit/common-password';
import { limits } from '@/lib/catalog/limits';
import { commonPasswords } from '@/lib/content/generated/common-passwords';

const list = commonPasswords.split(' ');

describe('the most used passwords', () => {
  it('are 10,000 different ones of a length that may be chosen, none with a capital letter', () => {
    expect(new Set(list).size).toBe(10_000);
    expect(list.filter((word) => word.length < limits.passwordMin || word.length > limits.passwordMax)).toEqual([]);
    expect(list.filter((word) => word !== word.toLowerCase())).toEqual([]);
  });

  it.each(['123456', 'password', 'Password', ' qwerty ', 'iloveyou', 'trustno1'])('hold %j', (word) => {
    expect(isCommonPassword(word)).toBe(true);
  });

  it.each(['', 'a', 'correct horse', 'u8-Kd2.vf3', '7Q2MX-K4T9B'])('do not hold %j', (word) => {
    expect(isCommonPassword(word)).toBe(false);
  });
});
