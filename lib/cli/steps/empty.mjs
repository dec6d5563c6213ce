// Stands for server-only in code that is bundled outside Next, where it would throw.
export {};
