export { Modal as DialogFrame } from '@mantine/core';
