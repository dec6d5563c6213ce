'use client';

import '@/styles/antd.css';
import { createCache, StyleProvider } from '@ant-design/cssinjs';
import { ConfigProvider } from 'antd';
import { type ReactNode, useState } from 'react';
import { skinElement } from './skin-element';
import { theme } from './theme';

/**
 * Under it antd's components look like ours. Their styles come with `styles/antd.css`, which the build extracts; the
 * variables that antd would still put into a `<style>` go into an element that is in no page, since the policy header
 * refuses inline styles and the sheet has them already.
 */
export function AntdProvider({ children }: { children: ReactNode }) {
  const [cache] = useState(createCache);
  const [nowhere] = useState(() => document.createElement('div'));
  return (
    <StyleProvider cache={cache} container={nowhere}>
      <ConfigProvider theme={theme} wave={{ disabled: true }} getPopupContainer={skinElement}>
        {children}
      </ConfigProvider>
    </StyleProvider>
  );
}
