import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs';
import { Button, ConfigProvider, Empty, Form, Input, Modal, Result, Select } from 'antd';
import { renderToString } from 'react-dom/server';
import { standIns, theme } from './theme';

/** Parts of antd's components that no screen of ours shows; their rules would be most of the styles. */
const unusedParts = [
  /-rtl\b/,
  // The columns of antd's grid: a field's label stands above it at every width.
  /\.ant-(col|row)\b/,
  /-(filled|borderless|underlined|dashed|link|background-ghost|loading|multiple|customize|tags|lg|sm|round|circle)\b/,
  /-(status-warning|status-validating|has-warning|has-feedback|is-validating|warning|success|info)\b/,
  /-(group|compact|textarea|otp|clear|count|prefix|icon-only|two-chinese|wave|zoom|fade|slide|move|tooltip)\b/,
  /-(confirm|borderless|inline|horizontal|optional|item-hidden|mark-hidden|addon|wireframe|image-img|in-form-item)\b/,
  /\.ant-btn-(?!css|primary|default|dangerous|variant-(solid|outlined)|color-(primary|default|dangerous))/,
  /\.ant-input-search|\[type=|fieldset|legend|select\[|output|textarea|\.ant-switch|\.ant-(skeleton|pagination|cascader)/,
];

/** One rule of a flat style sheet: what stands before its brace, and its body. */
type Rule = { head: string; body: string };

/** The rules of a style sheet, in order; those of an at-rule stay in its body. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let depth = 0;
  let start = 0;
  let open = 0;
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{') {
      if (depth === 0) open = at;
      depth += 1;
    } else if (css[at] === '}') {
      depth -= 1;
      if (depth > 0) continue;
      rules.push({ head: css.slice(start, open).trim(), body: css.slice(open + 1, at) });
      start = at + 1;
    }
  }
  return rules;
}

/** Selectors of a list, split at its own commas and not at those inside brackets. */
function selectorsOf(head: string): string[] {
  return head.split(/,(?![^()[\]]*[)\]])/).map((part) => part.trim());
}

/** True for a selector of something that is shown; what it says that its element is not, counts for nothing. */
function isShown(selector: string): boolean {
  const positive = selector.replaceAll(/:not\([^)]*\)/g, '');
  return /\.antd?\b/.test(positive) && !unusedParts.some((part) => part.test(positive));
}

/** Keeps what styles parts that we show; what names no class of antd would change the page around it. */
function keptRules(css: string): string {
  return rulesOf(css)
    .map(({ head, body }) => {
      if (head.startsWith('@media') || head.startsWith('@supports')) {
        const inner = keptRules(body);
        return inner ? `${head}{${inner}}` : '';
      }
      if (head.startsWith('@')) return '';
      const kept = selectorsOf(head).filter(isShown);
      return kept.length > 0 ? `${kept.join(',')}{${body}}\n` : '';
    })
    .join('');
}

/** Variables that no kept rule reads go, in as many rounds as they read one another. */
function withoutUnreadVariables(css: string): string {
  const read = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const fewer = css.replace(/(--ant-[\w-]+):[^;{}]*;/g, (whole, name: string) => (read.has(name) ? whole : ''));
  return fewer === css ? css : withoutUnreadVariables(fewer);
}

/**
 * The styles of exactly the components that account and sign-in use, under our theme: one sheet for both skins and
 * colour schemes, in a layer below our own styles.
 */
export function antdStyles(): string {
  const cache = createCache();
  renderToString(
    <StyleProvider cache={cache}>
      <ConfigProvider theme={{ ...theme, zeroRuntime: false }}>
        <Form layout="vertical">
          <Form.Item name="field" label="Field" help="Error" extra="Hint">
            <Input suffix="Show" />
          </Form.Item>
        </Form>
        <Select showSearch options={[]} />
        <Button />
        <Modal open />
        <Result status="error" />
        <Empty />
      </ConfigProvider>
    </StyleProvider>,
  );
  let css = extractStyle(cache, { plain: true, types: ['style', 'token', 'cssVar'] });
  // What antd sets without asking the theme, for a button of no colour.
  css = css.replaceAll(/:(#000|#ddd);/g, ':currentcolor;');
  for (const [property, standIn] of Object.entries(standIns)) css = css.replaceAll(standIn, `var(${property})`);
  return `@layer antd {\n${withoutUnreadVariables(keptRules(css))}}\n`;
}
