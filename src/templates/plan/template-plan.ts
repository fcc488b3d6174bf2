import {
  isTemplateComponent,
  type TemplateDefinitionButton,
  type TemplateDefinitionComponent,
} from '#libs/whatsapp';

/** The kind of a place in a payload. */
export type SlotKind =
  | 'text'
  | 'image'
  | 'video'
  | 'document'
  | 'location'
  | 'url_suffix'
  | 'payload'
  | 'coupon_code'
  | 'flow_token'
  | 'flow_action_data';

/** A place of a template that a send fills. */
export interface Slot {
  readonly component: 'header' | 'body' | 'button';
  /** Among the parameters of its component, from 1. */
  readonly position: number;
  /** The parameter's name in a template with named parameters, or of a flow button; else null. */
  readonly name: string | null;
  /** Among the template's buttons, from 0; null outside buttons. */
  readonly buttonIndex: number | null;
  readonly kind: SlotKind;
  /** The platform refuses a send that leaves it empty. */
  readonly isRequired: boolean;
  /** The example that the template was submitted with, or null. */
  readonly example: string | null;
  /** What is sent where nothing else fills it, or null. */
  readonly fallback: string | null;
}

/** How a kind of button is completed. */
interface ButtonForm {
  /** In a payload. */
  readonly subType: string;
  /** The type of its one parameter. */
  readonly parameter: 'text' | 'coupon_code' | 'payload' | 'action';
  /** The platform refuses a send that leaves the button's component out. */
  readonly isRequired: boolean;
  /** The platform takes the component without its parameter, too. */
  readonly mayBeBare?: boolean;
  /** What variables fill. */
  readonly places: readonly Pick<Slot, 'kind' | 'name' | 'isRequired' | 'fallback'>[];
}

/** A button of a template, as far as sends need it. */
export interface ButtonPlan {
  /** In the platform's spelling: `URL`, `QUICK_REPLY` … */
  readonly type: string;
  /** Null for kinds that have no parameter of their own, or one that is passed on as it comes. */
  readonly form: ButtonForm | null;
  /** A URL without a variable: it takes no parameter. */
  readonly isFixed: boolean;
}

/** A template definition compiled for sends. */
export interface TemplatePlan {
  readonly isNamed: boolean;
  /** `TEXT`, `IMAGE` …, or null without a header. */
  readonly headerFormat: string | null;
  /** In the order of a payload: header, body, buttons. */
  readonly slots: readonly Slot[];
  readonly buttons: readonly ButtonPlan[];
  /** Further components, as a payload spells them, such as `carousel`. */
  readonly furtherComponents: ReadonlySet<string>;
  /** The cards of a carousel; null without one. */
  readonly cards: readonly TemplatePlan[] | null;
  /** It shows when an offer ends, which each send has to say. */
  readonly hasOfferEnd: boolean;
  /** It brings a one-time code. */
  readonly isAuthentication: boolean;
}

const place = (kind: SlotKind, isRequired = true) => ({
  kind,
  name: null,
  isRequired,
  fallback: null,
});

const linkForm: ButtonForm = {
  subType: 'url',
  parameter: 'text',
  isRequired: true,
  places: [place('url_suffix')],
};

/** Button parameters: https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-message-templates */
const buttonForms: ReadonlyMap<string, ButtonForm> = new Map<string, ButtonForm>([
  ['URL', linkForm],
  ['OTP', linkForm],
  [
    'COPY_CODE',
    {
      subType: 'copy_code',
      parameter: 'coupon_code',
      isRequired: true,
      places: [place('coupon_code')],
    },
  ],
  // Without a payload of its own a quick reply brings back its text.
  [
    'QUICK_REPLY',
    {
      subType: 'quick_reply',
      parameter: 'payload',
      isRequired: false,
      places: [place('payload', false)],
    },
  ],
  // The platform wants the component, and takes "unused" for a token as it does in its own examples.
  [
    'FLOW',
    {
      subType: 'flow',
      parameter: 'action',
      isRequired: true,
      mayBeBare: true,
      places: [
        { ...place('flow_token', false), name: 'flow_token', fallback: 'unused' },
        { ...place('flow_action_data', false), name: 'flow_action_data' },
      ],
    },
  ],
  // Products and orders are objects, which variables cannot give.
  ['MPM', { subType: 'mpm', parameter: 'action', isRequired: true, places: [] }],
  [
    'ORDER_DETAILS',
    { subType: 'order_details', parameter: 'action', isRequired: true, places: [] },
  ],
]);

const headerKinds: ReadonlyMap<string, SlotKind> = new Map([
  ['IMAGE', 'image'],
  ['VIDEO', 'video'],
  ['DOCUMENT', 'document'],
  ['LOCATION', 'location'],
]);

const plainComponents = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);

/** Compiles a definition, once for as long as it stays the same. Never throws: what is unknown has no slots. */
export function compileTemplate(definition: {
  parameterFormat: 'POSITIONAL' | 'NAMED';
  category?: string;
  components: readonly TemplateDefinitionComponent[];
}): TemplatePlan {
  const { components, category } = definition;
  const isNamed = definition.parameterFormat === 'NAMED';
  const find = (type: string) => components.find((one) => one.type.toUpperCase() === type);
  const header = find('HEADER');
  const body = find('BODY');
  const buttons = (find('BUTTONS')?.buttons ?? []).map(compileButton);
  return {
    isNamed,
    headerFormat: header ? (header.format ?? 'TEXT').toUpperCase() : null,
    slots: [
      ...(header ? headerSlots(header, isNamed) : []),
      ...(body ? textSlots(body, 'body', isNamed) : []),
      ...buttons.flatMap(({ slots }) => slots),
    ].map((slot) => Object.freeze(slot)),
    buttons: buttons.map(({ plan }) => plan),
    furtherComponents: new Set(
      components
        .filter(({ type }) => !plainComponents.has(type.toUpperCase()))
        .map(({ type }) => type.toLowerCase()),
    ),
    cards:
      cardsOf(find('CAROUSEL'))?.map((card) =>
        compileTemplate({ ...definition, components: card }),
      ) ?? null,
    hasOfferEnd: hasOfferEnd(find('LIMITED_TIME_OFFER')),
    isAuthentication: category?.toUpperCase() === 'AUTHENTICATION',
  };
}

/** The components of each card, or null without a carousel. */
function cardsOf(
  carousel: TemplateDefinitionComponent | undefined,
): TemplateDefinitionComponent[][] | null {
  if (!carousel) return null;
  const cards: unknown[] = Array.isArray(carousel.cards) ? carousel.cards : [];
  return cards.map((card) => {
    const { components } = (card ?? {}) as { components?: unknown };
    return Array.isArray(components) ? components.filter(isTemplateComponent) : [];
  });
}

function hasOfferEnd(offer: TemplateDefinitionComponent | undefined): boolean {
  const { has_expiration } = (offer?.limited_time_offer ?? {}) as { has_expiration?: unknown };
  return offer !== undefined && has_expiration !== false;
}

/** A slot in words: `body {{2}}`, `header image`, `the button at index 0`. */
export function slotTitle({ component, kind, name, position, buttonIndex }: Slot): string {
  if (buttonIndex !== null) return `${name ? `${name} of ` : ''}the button at index ${buttonIndex}`;
  return kind === 'text' ? `${component} {{${name ?? position}}}` : `${component} ${kind}`;
}

/** The placeholders of a text, each once: names in order, or numbers. */
function placeholdersOf(text: string | undefined, isNamed: boolean): string[] {
  const found = [...(text ?? '').matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1] ?? '');
  const once = [...new Set(found)];
  // The first parameter is {{1}}, wherever that is in the text.
  return isNamed ? once : once.toSorted((a, b) => Number(a) - Number(b));
}

function headerSlots(header: TemplateDefinitionComponent, isNamed: boolean): Slot[] {
  const kind = headerKinds.get((header.format ?? 'TEXT').toUpperCase());
  if (kind === undefined) return textSlots(header, 'header', isNamed);
  return [
    {
      component: 'header',
      position: 1,
      name: null,
      buttonIndex: null,
      kind,
      isRequired: true,
      example: firstText(header.example?.header_handle),
      fallback: null,
    },
  ];
}

function textSlots(
  { text, example }: TemplateDefinitionComponent,
  component: 'header' | 'body',
  isNamed: boolean,
): Slot[] {
  const examples = examplesOf(example, component);
  return placeholdersOf(text, isNamed).map((placeholder, index) => ({
    component,
    position: index + 1,
    name: isNamed ? placeholder : null,
    buttonIndex: null,
    kind: 'text',
    isRequired: true,
    example: examples.get(isNamed ? placeholder : String(index + 1)) ?? null,
    fallback: null,
  }));
}

function examplesOf(
  example: TemplateDefinitionComponent['example'],
  component: 'header' | 'body',
): Map<string, string> {
  const named = example?.[`${component}_text_named_params`];
  const plain = example?.[`${component}_text`];
  const examples = new Map<string, string>();
  if (Array.isArray(named)) {
    for (const entry of named as unknown[]) {
      const { param_name, example: text } = (entry ?? {}) as Record<string, unknown>;
      if (typeof param_name === 'string' && typeof text === 'string')
        examples.set(param_name, text);
    }
  } else if (Array.isArray(plain)) {
    // A body has a list of lists, a header a list.
    const texts: unknown[] = plain.flat();
    texts.forEach((text, index) => {
      if (typeof text === 'string') examples.set(String(index + 1), text);
    });
  }
  return examples;
}

function compileButton(
  button: TemplateDefinitionButton,
  buttonIndex: number,
): { plan: ButtonPlan; slots: Slot[] } {
  const type = button.type.toUpperCase();
  const form = buttonForms.get(type) ?? null;
  const isFixed = type === 'URL' && placeholdersOf(button.url, false).length === 0;
  const plan = { type, form, isFixed };
  if (form === null || isFixed) return { plan, slots: [] };
  const slots = form.places.map(
    (each, index): Slot => ({
      ...each,
      component: 'button',
      position: index + 1,
      buttonIndex,
      example: each.name === null ? buttonExample(button) : null,
    }),
  );
  return { plan, slots };
}

/** A URL's example is the whole address; a caller gives only its end. */
function buttonExample({ url, example }: TemplateDefinitionButton): string | null {
  const text = firstText(example);
  const fixed = url?.split('{{')[0] ?? '';
  return text !== null && fixed !== '' && text.startsWith(fixed) ? text.slice(fixed.length) : text;
}

function firstText(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : null;
}
