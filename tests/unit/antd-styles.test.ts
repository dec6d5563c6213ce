// @vitest-environment node
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { antdStyles } from '@/components/account/kit/extract';
import { standIns } from '@/components/account/kit/theme';

const css = antdStyles();

describe('the styles that the build takes out of antd', () => {
  it('have no colour of their own: each is a property of ours, which skin and scheme change', () => {
    const colours = css.match(/#[0-9a-f]{3,8}\b|\b(rgb|hsl)a?\([^)]*\)|:\s*(white|black|red|gr[ae]y|blue)\b/gi) ?? [];
    expect(colours).toEqual([]);
    const tokens = readFileSync('styles/_tokens.scss', 'utf8');
    for (const property of Object.keys(standIns)) expect(tokens).toContain(`${property}:`);
  });

  it('style nothing but antd’s elements, and stay below ours', () => {
    expect(css.startsWith('@layer antd {')).toBe(true);
    const rules = css.slice(css.indexOf('{') + 1).replaceAll(/@media[^{]*\{/g, '');
    for (const [, head = ''] of rules.matchAll(/(?:^|[}\n])\s*([^{}\n]+)\{/g)) {
      for (const selector of head.split(/,(?![^()[\]]*[)\]])/)) expect(selector).toMatch(/\.antd?\b/);
    }
  });

  it('hold every part that a screen shows', () => {
    for (const part of [
      '.ant-form-item-explain-error',
      '.ant-input-affix-wrapper',
      '.ant-input-outlined.ant-input-status-error',
      '.ant-select-content-has-search-value',
      '.ant-select-dropdown-hidden',
      '.ant-select-item-option-active',
      '.ant-btn-color-dangerous',
      '.ant-modal-mask',
      '.ant-modal-centered',
      '.ant-result-error',
      '.ant-empty-footer',
    ]) {
      expect(css, part).toContain(part);
    }
  });

  it('take at most 7 kB on their way', () => {
    expect(gzipSync(css).length).toBeLessThanOrEqual(7_000);
  });
});
