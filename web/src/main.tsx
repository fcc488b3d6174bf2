import './styles/mantine.css';
import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/overview.css';
import './styles/forms.css';
import './styles/messages.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './api/account-queries.ts';
import { queryClient } from './api/query-client.ts';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The scroll lock of dialogs writes a style element of its own and asks this package for the nonce.
setNonce(nonce);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// The page's code and the session come at the same time. Until then, the frame in index.html stays.
void router.load();
// If it fails, the page asks again and says so.
void queryClient
  .query({ ...sessionQuery, retry: false })
  .catch(() => undefined)
  .then(() =>
    createRoot(root).render(
      <StrictMode>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </MantineProvider>
      </StrictMode>,
    ),
  );
