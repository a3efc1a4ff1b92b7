-- SPDX-License-Identifier: MIT
--
-- objects.lua [SCALE]: tables, closures and strings under Lua's collector,
-- which frees each of them by itself.
local scale = tonumber(arg[1] or "1")
local count = math.max(100, math.floor(600000 * scale))
local seed = 1

local function number(bound)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return (seed // 65536) % bound
end

local function tree(depth)
    if depth == 0 then
        return {}
    end
    return {tree(depth - 1), tree(depth - 1)}
end

local recent, bytes = {}, 0
for i = 1, count do
    local slot = number(5000) + 1
    recent[slot] = {id = i, name = "item" .. i, tags = {i, i + 1, slot}}
    if i % 20000 == 0 then
        tree(12)
    end
    bytes = bytes + #recent[slot].name
end
print(count, bytes)
