// What scripts in a browser find as `process`: the framework asks it for its environment and nothing else.
module.exports = { env: {} };
