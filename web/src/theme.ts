import {
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type MenuProps,
  type ModalProps,
  type NumberInputProps,
  type SelectProps,
  type SwitchProps,
} from '@mantine/core';

/** The tokens themselves are in styles/tokens.css; Mantine's own variables point to them. */
export const theme = createTheme({
  fontFamily: "'Geist Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'Geist Mono Variable', ui-monospace, monospace",
  headings: { fontWeight: '600' },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  colors: {
    accent: [
      '#f0f1fe',
      '#e0e2fc',
      '#c2c6f8',
      '#a3a9f3',
      '#858cec',
      '#6a72e2',
      '#5159d6',
      '#4349b5',
      '#373c94',
      '#2b2f73',
    ],
    red: [
      '#fdecec',
      '#fbd8da',
      '#f5b1b5',
      '#f48e94',
      '#e5565f',
      '#d93d47',
      '#cb303a',
      '#bd2731',
      '#9f1f28',
      '#82171f',
    ],
  },
  // Without the components' own `extend`, which would load all of them with the first page.
  components: {
    Button: { defaultProps: { variant: 'default' } satisfies Partial<ButtonProps> },
    Menu: {
      // Without this the menu's focus placeholder is a critical finding of axe.
      defaultProps: {
        withInitialFocusPlaceholder: false,
        position: 'bottom-end',
        shadow: 'md',
      } satisfies Partial<MenuProps>,
    },
    Modal: {
      defaultProps: {
        size: 460,
        centered: true,
        radius: 12,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 150 },
      } satisfies Partial<ModalProps>,
    },
    // Whole numbers; what is out of range is said, not changed.
    NumberInput: {
      defaultProps: {
        hideControls: true,
        allowDecimal: false,
        allowNegative: false,
        thousandSeparator: ',',
        clampBehavior: 'none',
      } satisfies Partial<NumberInputProps>,
    },
    Select: { defaultProps: { allowDeselect: false } satisfies Partial<SelectProps> },
    Switch: { defaultProps: { withThumbIndicator: false } satisfies Partial<SwitchProps> },
  },
});

const shared = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text-1)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-default': 'var(--card)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--text-1)',
  '--mantine-color-default-border': 'var(--control-line)',
  '--mantine-color-error': 'var(--red-text)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': 'color-mix(in srgb, var(--accent), black 8%)',
  '--mantine-color-accent-outline': 'var(--focus)',
  '--mantine-primary-color-filled': 'var(--accent)',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: shared,
});
